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
