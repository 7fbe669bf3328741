"""The screen: widgets draw and tell, the app turns keys into intents of the `Agent` and changes into drawing."""
