import { ISO } from '../language-codes.ts';
import { heard } from '../price.ts';
import type { Vendor } from '../vendor.ts';

export const sherpa = {
  name: 'sherpa',
  needsKey: false,
  baseUrl: {
    about: 'URL of a streaming server of sherpa-onnx with a model for 16 kHz, such as http://127.0.0.1:6006.',
  },
  modelDir: {
    about:
      'Folder with a streaming model of sherpa-onnx, which runs in this process instead of a server. Needs the package sherpa-onnx-node.',
  },
  served: { about: 'Languages of its model, such as en. Default: every one.' },
  stt: { languages: { any: ISO } },
  // `sherpa-onnx`: the model in this process.
  prices: [heard('sherpa', '*', 0), heard('sherpa-onnx', '*', 0)],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
