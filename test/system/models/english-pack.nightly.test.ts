import { describe, expect, it } from 'vitest';
import { defaultModelsDir } from '../../../src/config/models-dir.ts';
import { ENGLISH_PACK, modelOf } from '../../../src/offline/models/catalogue.ts';
import { installedModel } from '../../../src/offline/models/installed.ts';
import { verifyModel } from '../../../src/offline/models/shelf.ts';
import { EarThreads } from '../../../src/offline/words/ears.ts';
import { earModels } from '../../../src/offline/words/models.ts';

/** What scripts/setup.sh fetched into the cache of the user. */
const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');

describe('the English pack that the set-up fetched', () => {
  it('is complete, with the hashes of the catalogue', async () => {
    for (const id of ENGLISH_PACK) {
      const model = modelOf(id);
      const wrong = model === undefined ? null : await verifyModel(MODELS_DIR, model);
      // Null: it is not installed; run scripts/setup.sh, or callwright models get.
      expect([id, wrong]).toEqual([id, []]);
    }
  });

  it('loads in the recogniser of this machine', async () => {
    const model = earModels((id) => installedModel(MODELS_DIR, id))('en-US');
    if (model === null) throw new Error(`${MODELS_DIR} holds no recogniser: run callwright models get`);
    const ears = new EarThreads();
    try {
      await ears.load(model);
      expect(ears.calls).toBeGreaterThanOrEqual(1);
    } finally {
      await ears.close();
    }
  });
});
