"""Validation of payloads: Discord's "Invalid Form Body" errors in messages, components, modals and commands.

The rules work without Discord's OpenAPI document, and go beyond it where it says nothing.
"""
