import type { Config } from '../config.ts';
import {
  CATALOGUE,
  ENGLISH_PACK,
  isPinned,
  modelOf,
  type CatalogueModel,
} from '../offline/models/catalogue.ts';
import { getModel, type Progress } from '../offline/models/get.ts';
import { ModelError } from '../offline/models/model-error.ts';
import { removeModel, runsHere, stateOf, verifyModel } from '../offline/models/shelf.ts';
import { NoVoice } from '../offline/speech/library/own-folder.ts';
import { OWN_VOICES, ownFolders } from '../offline/speech/library/own-voices.ts';

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;

/** The folder of SHERPA_MODEL_DIR, which the operator fills. */
const ownFolder = ({ settings }: Config): string | null =>
  settings.find(({ name }) => name === 'SHERPA_MODEL_DIR')?.value ?? null;

/** `callwright models list`; returns the exit code. */
export function listModels(config: Config): number {
  console.log(`models in ${config.modelsDir}`);
  for (const model of CATALOGUE) {
    const state = runsHere(model) ? stateOf(config.modelsDir, model) : 'not for this system';
    const languages = model.languages.length === 0 ? '' : `, ${model.languages.join(' ')}`;
    console.log(
      `${model.id.padEnd(18)} ${state.padEnd(9)}  ${model.part}, ${model.engine}${languages}, ${megabytes(model.bytes)}, ${model.licence}${isPinned(model) ? '' : ', unpinned'}`,
    );
    console.log(
      `${' '.repeat(20)}${model.quality}; ${model.cost}; ${model.improves ?? 'no call uses it yet'}`,
    );
  }
  const own = ownFolder(config);
  if (own !== null)
    console.log(`${'sherpa'.padEnd(18)} yours      ears, sherpa-onnx, SHERPA_MODEL_DIR=${own}`);
  for (const { name, found } of ownFolders(config.modelsDir)) {
    const holds =
      found instanceof NoVoice
        ? `unusable   ${found.message}`
        : `yours      voice, ${found.kind}: ${found.voices.map(({ speaker }) => speaker).join(', ')}`;
    console.log(`${`${OWN_VOICES}/${name}`.padEnd(18)} ${holds}`);
  }
  return 0;
}

/** `callwright models get`: the English pack unless models are named. */
export async function getModels(config: Config, ids: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const chosen = ids.length > 0 ? ids : ENGLISH_PACK;
  let failures = 0;
  for (const id of chosen) {
    if (stop.signal.aborted) break;
    const show = progressLine();
    try {
      await getModel(id, {
        modelsDir: config.modelsDir,
        mirror: config.modelsMirror,
        floorBytes: config.diskFloorBytes,
        signal: stop.signal,
        onProgress: show,
        onNote: (note) => console.log(`note  ${note}`),
      });
      console.log(`ok    ${id} is installed`);
    } catch (error) {
      failures++;
      report(error);
    }
  }
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  return failures > 0 || stop.signal.aborted ? 1 : 0;
}

/** `callwright models verify`: every installed model unless some are named. */
export async function verifyModels(config: Config, ids: readonly string[]): Promise<number> {
  const chosen = chosenModels(ids);
  if (chosen === null) return 2;
  let failures = 0;
  for (const model of chosen) {
    try {
      const wrong = await verifyModel(config.modelsDir, model);
      if (wrong === null) {
        if (ids.length > 0) console.log(`-     ${model.id} is not installed`);
        continue;
      }
      if (wrong.length === 0) console.log(`ok    ${model.id}`);
      else {
        failures++;
        console.log(`FAIL  ${model.id}: wrong or missing: ${wrong.join(', ')}`);
        console.log(`      → callwright models get ${model.id}`);
      }
    } catch (error) {
      failures++;
      report(error);
    }
  }
  return failures > 0 ? 1 : 0;
}

/** `callwright models remove`. */
export async function removeModels(config: Config, ids: readonly string[]): Promise<number> {
  if (chosenModels(ids) === null) return 2;
  let failures = 0;
  for (const id of ids) {
    try {
      await removeModel(config.modelsDir, id);
      console.log(`ok    ${id} is removed`);
    } catch (error) {
      failures++;
      report(error);
    }
  }
  return failures > 0 ? 1 : 0;
}

function chosenModels(ids: readonly string[]): readonly CatalogueModel[] | null {
  const unknown = ids.filter((id) => modelOf(id) === undefined);
  if (unknown.length === 0)
    return ids.length === 0 ? CATALOGUE : CATALOGUE.filter(({ id }) => ids.includes(id));
  console.error(`not in the catalogue: ${unknown.join(', ')}; callwright models list shows it`);
  return null;
}

function report(error: unknown): void {
  if (!(error instanceof ModelError)) throw error;
  console.log(`FAIL  ${error.message}`);
  console.log(`      → ${error.advice}`);
}

/** Shows progress: a line for each source, and each fifth of the bytes. */
function progressLine(): (progress: Progress) => void {
  let last = '';
  return ({ id, source, done, total }) => {
    const fifth = Math.floor((done / total) * 5) * 20;
    const line = `      ${id} from ${source}: ${fifth} % of ${megabytes(total)}`;
    if (line !== last) console.log(line);
    last = line;
  };
}
