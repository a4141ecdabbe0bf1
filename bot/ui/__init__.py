"""What a player sees and presses: board messages, the picker, buttons, answers."""
