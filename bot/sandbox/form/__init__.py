"""What Discord refuses with "Invalid Form Body": limits and rules of messages, components, modals and commands.

The rules hold without Discord's OpenAPI document, and go beyond it where it is silent.
"""
