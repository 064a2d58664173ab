"""What gunicorn serves: `gunicorn -c gunicorn.conf.py wsgi:app`."""
from toolgate.app import create_app
from toolgate.server import refuse_without_gevent
from toolgate.settings import Settings

refuse_without_gevent()
app = create_app(Settings.load())
