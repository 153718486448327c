import type { CatalogueModel } from '../../../src/offline/models/catalogue.ts';
import { getModel } from '../../../src/offline/models/get.ts';

/** A process that gets a model: the folder and the model as arguments. Writes a line when bytes have arrived. */
const [modelsDir = '', model = ''] = process.argv.slice(2);
const one = JSON.parse(model) as CatalogueModel;
await getModel(one.id, {
  modelsDir,
  mirror: null,
  floorBytes: 0,
  catalogue: [one],
  onProgress: ({ done }) => {
    if (done > 0) console.log('bytes');
  },
});
