"""Serves OpenAI's speech request with the voice of hibari: PCM of 24 kHz, a sentence at a time.

Usage: voice_server.py PORT
"""

import sys

import numpy
import uvicorn
from fastapi import FastAPI, HTTPException
from fastapi.responses import StreamingResponse
from hibari import Hibari
from pydantic import BaseModel

PORT = int(sys.argv[1])
VOICE = 'af_heart'
SLOWEST, FASTEST = 0.5, 2.0

engine = Hibari()
app = FastAPI()


class Speech(BaseModel):
    model: str
    input: str
    voice: str = VOICE
    response_format: str = 'mp3'
    speed: float = 1.0


@app.get('/v1/audio/voices')
def voices():
    return {'voices': [VOICE]}


@app.post('/v1/audio/speech')
def speech(request: Speech):
    if request.voice != VOICE:
        raise HTTPException(400, {'error': {'message': f'no voice {request.voice}'}})
    if request.response_format != 'pcm':
        raise HTTPException(400, {'error': {'message': f'no format {request.response_format}'}})
    speed = min(FASTEST, max(SLOWEST, request.speed))

    def pieces():
        for audio in engine.stream(request.input, speed=speed):
            yield (numpy.clip(audio, -1, 1) * 32767).astype('<i2').tobytes()

    return StreamingResponse(pieces(), media_type='audio/pcm')


uvicorn.run(app, host='127.0.0.1', port=PORT, log_level='warning')
