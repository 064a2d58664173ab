"""What gunicorn serves: `gunicorn -c gunicorn.conf.py wsgi:app`."""
from toolgate.app import create_app
from toolgate.settings import Settings

app = create_app(Settings.load())
