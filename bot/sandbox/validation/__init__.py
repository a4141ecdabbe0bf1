"""Validation of payloads: what Discord refuses with "Invalid Form Body" in messages, components, modals and commands.

The rules hold without Discord's OpenAPI document, and go beyond it where it is silent.
"""
