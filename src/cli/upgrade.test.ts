import { describe, expect, it } from 'vitest';
import { installedIn, packageOf } from './upgrade.ts';

describe('where npm installed the program', () => {
  it('is the project around node_modules', () => {
    expect(installedIn('/srv/phone/node_modules/callwright', () => true)).toEqual({
      cwd: '/srv/phone',
      npm: ['install', '--save-exact', '--no-audit', '--no-fund'],
    });
  });

  it('is global without a package.json around it', () => {
    expect(installedIn('/usr/lib/node_modules/callwright', () => false)?.npm).toContain('--global');
  });

  it('is nowhere for a clone', () => {
    expect(installedIn('/srv/callwright', () => true)).toBeNull();
  });
});

describe('the package that an upgrade installs', () => {
  it('is a version or a tag of the registry', () => {
    expect(packageOf('latest', () => false)).toBe('callwright@latest');
    expect(packageOf('1.2.0', () => false)).toBe('callwright@1.2.0');
  });

  it('is a file by its whole path', () => {
    expect(packageOf('/tmp/callwright-1.2.0.tgz', () => true)).toBe('/tmp/callwright-1.2.0.tgz');
  });

  it('is nothing for a file that does not exist', () => {
    expect(packageOf('callwright-1.2.0.tgz', () => false)).toBeNull();
  });

  it('is a URL as it stands', () => {
    expect(packageOf('https://example.com/c.tgz', () => false)).toBe('https://example.com/c.tgz');
  });
});
