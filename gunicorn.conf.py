"""gunicorn -c gunicorn.conf.py wsgi:app"""
from gevent import monkey

monkey.patch_all()  # before anything brings ssl, or every https upstream ends in a recursion

from toolgate.server import configuration  # noqa: E402
from toolgate.settings import Settings  # noqa: E402

globals().update(configuration(Settings.load()))
