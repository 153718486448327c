// The packages sherpa-onnx-node and onnxruntime-node as far as the service uses them; every step is a native call of 5 ms.
const koffi = require('koffi');

const work = koffi.load(null).func('int usleep(uint32_t)').bind(null, 5_000);

class OnlineRecognizer {
  constructor() {
    work();
  }
  createStream() {
    return {
      waiting: 0,
      acceptWaveform() {
        this.waiting += 1;
      },
    };
  }
  isReady(stream) {
    return stream.waiting > 0;
  }
  decode(stream) {
    stream.waiting -= 1;
    work();
  }
  isEndpoint() {
    return false;
  }
  getResult() {
    return { text: '' };
  }
  reset() {}
}
class InferenceSession {
  inputNames = ['input_features'];
  outputNames = ['logits'];
  static async create() {
    work();
    return new InferenceSession();
  }
  async run() {
    await Promise.resolve();
    work();
    return { logits: { data: [0.5] } };
  }
  async release() {
    work();
  }
}

function Tensor(type, data, dims) {
  Object.assign(this, { type, data, dims });
}

module.exports = { OnlineRecognizer, InferenceSession, Tensor };
