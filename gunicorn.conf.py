"""gunicorn -c gunicorn.conf.py wsgi:app"""
from toolgate.server import configuration
from toolgate.settings import Settings

globals().update(configuration(Settings.load()))
