"""The databases of the tests of the bot."""

from fakes.databases import empty_postgres_url, postgres_server, postgres_template  # noqa: F401  fixtures
