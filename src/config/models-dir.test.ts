import { describe, expect, it } from 'vitest';
import { defaultModelsDir, defaultModelsFetch } from './models-dir.ts';

describe('the folder of the models', () => {
  const writable = (): boolean => true;

  it('is in the cache of the user', () => {
    expect(defaultModelsDir({ HOME: '/home/ann' }, './data', writable)).toBe(
      '/home/ann/.cache/callwright/models',
    );
  });

  it('is below XDG_CACHE_HOME where that is set', () => {
    expect(defaultModelsDir({ HOME: '/home/ann', XDG_CACHE_HOME: '/cache' }, './data', writable)).toBe(
      '/cache/callwright/models',
    );
  });

  it('is in DATA_DIR where no home can be written', () => {
    expect(defaultModelsDir({ HOME: '/home/ann' }, '/srv/data', () => false)).toBe('/srv/data/models');
  });

  it('is in DATA_DIR where no folder can be created in the cache', () => {
    expect(defaultModelsDir({ XDG_CACHE_HOME: '/dev/null/cache' }, '/srv/data')).toBe('/srv/data/models');
  });

  it('ignores a relative XDG_CACHE_HOME', () => {
    expect(defaultModelsDir({ XDG_CACHE_HOME: 'cache' }, '/srv/data', writable)).toBe('/srv/data/models');
  });
});

describe('the fetch at the start', () => {
  it('is off in a clone, whose set-up script fetches, and on in a release', () => {
    expect(defaultModelsFetch()).toBe('off');
    expect(defaultModelsFetch(new URL('file:///srv/callwright/scripts/setup.sh'))).toBe('start');
  });
});
