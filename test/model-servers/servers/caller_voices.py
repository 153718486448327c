"""
Speaks lines in voices of Kokoro: `caller_voices.py MODEL_FOLDER`, a JSON list of {text, voice, file} on the standard input.
Writes 16-bit mono samples of 24 kHz, without a header.
"""
import json
import os
import sys
import tempfile

import numpy as np
from kokoro_onnx import Kokoro

folder = sys.argv[1]
lines = json.load(sys.stdin)
names = sorted({line["voice"] for line in lines})
voices = {
    name: np.fromfile(os.path.join(folder, "voices", f"{name}.bin"), dtype=np.float32).reshape(510, 1, 256)
    for name in names
}
with tempfile.TemporaryDirectory() as place:
    archive = os.path.join(place, "voices.npz")
    np.savez(archive, **voices)
    kokoro = Kokoro(os.path.join(folder, "kokoro-v1.0.int8.onnx"), archive)
    for line in lines:
        language = "en-gb" if line["voice"].startswith("b") else "en-us"
        audio, _rate = kokoro.create(line["text"], voice=line["voice"], speed=1.0, lang=language)
        samples = np.clip(np.asarray(audio) * 32767, -32768, 32767).astype("<i2")
        with open(line["file"] + ".part", "wb") as file:
            file.write(samples.tobytes())
        os.replace(line["file"] + ".part", line["file"])
