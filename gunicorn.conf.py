"""gunicorn -c gunicorn.conf.py wsgi:app"""
from gevent import monkey

monkey.patch_all()  # before anything brings ssl, or every https upstream ends in a recursion

from toolgate.errors import ConfigError  # noqa: E402
from toolgate.inspection import inspect  # noqa: E402
from toolgate.server import configuration  # noqa: E402
from toolgate.settings import Settings  # noqa: E402

try:
    settings = Settings.load()
    inspect(settings)
    globals().update(configuration(settings))
except ConfigError as error:
    raise SystemExit(f"toolgate: {error}") from None
