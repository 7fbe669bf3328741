"""What is on the screens: each draws a part of the session and tells what the person does with it."""
