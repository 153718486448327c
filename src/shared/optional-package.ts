import { createRequire } from 'node:module';

/** A package that an operator may install beside the service. Throws an error that says how. */
export function optionalPackage(name: string): unknown {
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    throw new Error(
      isMissing
        ? `the package ${name} is not installed: npm install --no-save ${name}`
        : `the package ${name} cannot be loaded: ${error instanceof Error ? error.message : ''}`,
      { cause: error },
    );
  }
}

/** Whether the package is installed beside the service. */
export function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
