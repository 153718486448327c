"""Speaks the protocol of vosk-server's websocket server (asr_server.py) with the real library and model.

Usage: vosk_server.py PORT MODEL_FOLDER. Text messages configure the recogniser or end the audio; binary ones are audio,
each of which gets one answer.
"""

import asyncio
import concurrent.futures
import json
import sys

import websockets
from vosk import KaldiRecognizer, Model, SetLogLevel

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
DEFAULT_RATE = 8000.0


def process_chunk(recogniser, message):
    # The server compares these texts as strings.
    if message == '{"eof" : 1}':
        return recogniser.FinalResult(), True
    if message == '{"reset" : 1}':
        return recogniser.FinalResult(), False
    if recogniser.AcceptWaveform(message):
        return recogniser.Result(), False
    return recogniser.PartialResult(), False


async def serve(socket, model, pool):
    recogniser = None
    phrases, rate, words, alternatives = None, DEFAULT_RATE, True, 0
    async for message in socket:
        if isinstance(message, str) and 'config' in message:
            config = json.loads(message)['config']
            phrases = config.get('phrase_list', phrases)
            rate = float(config.get('sample_rate', rate))
            words = bool(config.get('words', words))
            alternatives = int(config.get('max_alternatives', alternatives))
            continue
        if recogniser is None:
            grammar = [] if phrases is None else [json.dumps(phrases, ensure_ascii=False)]
            recogniser = KaldiRecognizer(model, rate, *grammar)
            recogniser.SetWords(words)
            recogniser.SetMaxAlternatives(alternatives)
        loop = asyncio.get_running_loop()
        answer, is_over = await loop.run_in_executor(pool, process_chunk, recogniser, message)
        await socket.send(answer)
        if is_over:
            break


async def main():
    SetLogLevel(-1)
    model = Model(FOLDER)
    pool = concurrent.futures.ThreadPoolExecutor(2)
    async with websockets.serve(lambda socket: serve(socket, model, pool), '127.0.0.1', PORT):
        print('ready', flush=True)
        await asyncio.Future()


asyncio.run(main())
