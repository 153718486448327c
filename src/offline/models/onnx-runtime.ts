import { NATIVE_ONNX } from '../../shared/onnx.ts';
import { hasPackage } from '../../shared/optional-package.ts';
import type { InstalledModel } from './installed.ts';

/** Finds an entry of the catalogue; null: it is not installed. */
type FindModel = (id: string) => InstalledModel | null;

/** Where the native runtime is loaded from: the entry of the catalogue, else the package beside the service, if there is one. */
export const nativeModule = (find: FindModel): string =>
  find('onnxruntime-node')?.file(`node_modules/${NATIVE_ONNX}`) ?? NATIVE_ONNX;

export interface TurnFiles {
  readonly path: string;
  /** The native runtime. */
  readonly module: string;
}

/** The turn model that judges calls: the file of TURN_MODEL, else the one of the catalogue; null: there is none, or it is `off`. */
export function turnFiles(find: FindModel, setting: string | null): TurnFiles | null {
  if (setting === 'off') return null;
  const module = nativeModule(find);
  if (setting !== null) return { path: setting, module };
  const path = find('smart-turn-v3.2')?.file('smart-turn-v3.2-cpu.onnx') ?? null;
  // The WASM runtime takes longer than a turn can wait.
  return path === null || !hasPackage(module) ? null : { path, module };
}
