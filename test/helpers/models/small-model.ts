import { createHash } from 'node:crypto';
import type { CatalogueModel } from '../../../src/offline/models/catalogue.ts';

/** A model with one file, which the address has. */
export const smallModel = (id: string, content: string, url: string): CatalogueModel => ({
  id,
  part: 'ears',
  engine: 'test',
  languages: ['en-US'],
  files: [
    {
      name: 'net.onnx',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      sources: [{ from: 'url', url }],
    },
  ],
  bytes: content.length,
  licence: 'MIT',
  quality: 'free words',
  cost: 'little',
  improves: 'every word is heard',
});
