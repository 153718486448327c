/** Name, bytes and SHA-256 of a file. */
type Row = readonly [name: string, bytes: number, sha256: string];

/** Vosk small en-US 0.15. */
export const VOSK_ENGLISH_FILES: readonly Row[] = [
  ['am/final.mdl', 15_962_575, '75370a0137f9daf8f469dedd7daa4513ae7a621f03240c6e512e2b50b656a7b6'],
  ['conf/mfcc.conf', 131, '1e2228006d01d805ad1c267fee9f79709ca87ac51bd82b0e3f5c69ba543f0fc4'],
  ['conf/model.conf', 290, '8f14cb1eeb07c762c371db648c6be688d347236155ca0f64fb13b6567a8ce81f'],
  ['graph/Gr.fst', 24_013_795, '023c8b7e30704a9e37765c635c252e608a02f361235bf94abdcf2a5225d85b20'],
  ['graph/HCLr.fst', 22_416_994, '5caafba3081e1646545ac6bff0dd7a318e53dcbdc86f237909ce1d2ac1293d34'],
  ['graph/disambig_tid.int', 102, '9ad87cc166d0998f08f758f47a6223a120dfffcbee805c4849c3aa5e6bb3c0fc'],
  [
    'graph/phones/word_boundary.int',
    1761,
    'da199d9c991e0e84681ddbb34627b915b26302d50a8fdaa23c51e2bc3a50b5c3',
  ],
  ['ivector/final.dubm', 168_048, '8c5d7dd69d2122313baaf19f61f35dd3fa18b70c62ac0687e311e1c46e6daca7'],
  ['ivector/final.ie', 8_288_887, '3f37faf90c375b9e4740b569398b5829ed9cc07d19be6d441f72c3b71d7efcc6'],
  ['ivector/final.mat', 44_975, 'ddd83586dc5f928cda8738b922c85ffe38fc789cb5f9151a712ca12f37265382'],
  ['ivector/global_cmvn.stats', 1080, '33be09afcc80059847a275c3d043b51f1ab954c7c2438ddbbf4745e8ba144ff9'],
  ['ivector/online_cmvn.conf', 95, 'a2f3571754b64297cb7efb2e7ca3df61995c5a45fcbb97188f90613552bb2dfe'],
  ['ivector/splice.conf', 35, '9f0c5f7c82d18eaf25d8bce470efa9f7741f88411fe428774bc0a9bb69a24756'],
];

/** The voice heart of hibari, with the dictionaries of all. */
export const HIBARI_ENGLISH_FILES: readonly Row[] = [
  ['hibari.onnx', 7_936_868, '5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8'],
  ['lexicon_us_gold.json.gz', 719_352, '63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2'],
  ['lexicon_us_silver.json.gz', 682_530, 'c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3'],
  ['normalize.json', 6769, 'd478ff05404bc43ac3e0468e306674e51085f1b1afc94cdef7c7ea4fb0d56bd8'],
  ['oov.json', 2273, 'b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c'],
  ['oov.onnx', 2_975_020, 'd3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76'],
  ['tagger.json.gz', 1_240_667, 'd2da7502284bbbe45d49e0b7ce3ce67bdab82254150f4317f1b8559b4d38d0eb'],
  ['tokenizer_exceptions.json', 32_450, 'ddf3a3da07bdcf5144270ea4530191d8580fb4fd6f5ae93296e87916e795659a'],
  ['vocab.json', 1144, '70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d'],
];

/** ONNX Runtime 1.30.0 for Node: its packages onnxruntime-node and onnxruntime-common, without what other systems need. */
export const ONNX_NATIVE_FILES: readonly Row[] = [
  [
    'node_modules/onnxruntime-node/package.json',
    1593,
    '0871cd56ac2b9c9dfc834c7eabba819e5d4f966f005388515abb3402b14e0874',
  ],
  [
    'node_modules/onnxruntime-node/dist/index.js',
    1602,
    '019eb02133b94b1f7fdf2d89eb93b590ce1288d271f7b280647fb3978e6391fa',
  ],
  [
    'node_modules/onnxruntime-node/dist/backend.js',
    6289,
    'a79e8019e7276a282987023f9d38d41063a99e563e5e1a6f38a73a7d39ea83ab',
  ],
  [
    'node_modules/onnxruntime-node/dist/binding.js',
    1590,
    '2a85ac5de943c7222aae5ca2897f52d73891f528d4295b701fab077470c668c0',
  ],
  [
    'node_modules/onnxruntime-node/dist/version.js',
    361,
    '0a1a7f532f4455ead0678966815c3114730150aa4368ebb5ebd9727425e9003b',
  ],
  [
    'node_modules/onnxruntime-common/package.json',
    977,
    '4266741a80346e25820ccc494fbffb95e2f652b6dfb5585025be44df3b0d6722',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/backend-impl.js',
    5608,
    '3d25321895995f7e9480570b9a88f121049adf152e1829d0ecb11218da02d487',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/backend.js',
    433,
    '325aaee7a2649ea27629666f3ca01c0d80b9751e704ce502e43a8352390749b4',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/env-impl.js',
    969,
    '35cd8cac33973538eab471b68622c86c35a6896f4307d1a74c9ca0eda7abbac6',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/env.js',
    366,
    '22c7647f8ca1c1b83b437a92b95fee1457fcb72866fa029616b8f146dc609be8',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/index.js',
    1955,
    'd7dd6cc9790e87299099fcd1b0ccb4969c01591d7eec0383a1c64dbea133dd1a',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/inference-session-impl.js',
    8996,
    '88d90723a169297855ad3b564b134c6b685b2661316c81f71fc80da1e203bae0',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/inference-session.js',
    467,
    '458be26f316c5068d32a56ddbc30ca0aa687c636e079b3d161a69f0f14a683f1',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/onnx-model.js',
    211,
    '667f5fdac4b6df25e17f8a864d4dc619507f541f9fa0aafb6d3572fcca1e25e5',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/onnx-value.js',
    211,
    '8446854766f4955ce438a7338216f49223767ecc508bb502b73a3dc1a1f1998e',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/package.json',
    20,
    '091a04fa67c7907b98e106fcff8b964e13129754fce72d24f3025b97c4887fa3',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-conversion-impl.js',
    8067,
    '9815e72c0bb91896035de93b3113a2256a1a998bc53c7b5e6bf5fb4e93714766',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-conversion.js',
    218,
    '28cc462d4a9ea556ecc86c0e6d16a51d61b58d5bc5b4b7b48976b14bc8035bdc',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-factory-impl.js',
    11_656,
    'a3204838a2c14416e4e61c968dc17c663ab3c9b8b2c4a8b7f2a1c5b06e3e5173',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-factory.js',
    215,
    '13b8d735350b828a49bda8aeec50b1dac888cf42268006efc4312f50a88b6906',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-impl-type-mapping.js',
    2995,
    '333110edbbffdb7575ea340cb341bcaf691862d6594a649db28097f7d8cb19b7',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-impl.js',
    16_458,
    '11645352ba5d08971344717d3339f86aac560f84f29229b2ebe07f1ec8aa8905',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-utils-impl.js',
    2213,
    'e7b1db989d33d54bdd1807b080a0989ff0b10d5f7dd8c93b92bbf293103aa4d5',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor-utils.js',
    213,
    'd3f577e90dc2257c72ac728e5e6355c34af0342d971158d9f22b69d22aa97b8d',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/tensor.js',
    393,
    '9097114de356750f36f28776fa6ccd08d13694f0f9aac9e7669c30b6c43153f7',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/trace.js',
    2496,
    'faecd0df94998d786e2085d56aa6003449f1ac3b35c350e0d2762498604e5d72',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/type-helper.js',
    212,
    '7f786da8d2a611ad751c70a74edf4d9acfccd26be8e5c6b1cb730f982892bf32',
  ],
  [
    'node_modules/onnxruntime-common/dist/cjs/version.js',
    361,
    '0a1a7f532f4455ead0678966815c3114730150aa4368ebb5ebd9727425e9003b',
  ],
];
export const ONNX_LINUX_X64_FILES: readonly Row[] = [
  [
    'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node',
    389_488,
    'ccdc60b981d93a490cf9513d3f583547252b6e285b72988a96a494f2f006c7b8',
  ],
  [
    'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
    45_828_512,
    'ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23',
  ],
];
export const ONNX_LINUX_ARM64_FILES: readonly Row[] = [
  [
    'node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/onnxruntime_binding.node',
    394_648,
    'afec78dc11d38dc81605b068cefe1fc73ffe77ca240c15468aa40786150beac8',
  ],
  [
    'node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1',
    25_135_496,
    '1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76',
  ],
];
