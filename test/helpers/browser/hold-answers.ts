import type { Page, Route } from 'playwright-core';

/** Holds back the answers of requests of the page whose path ends with `path`, until they are released. */
export async function holdAnswers(
  page: Page,
  path: string,
  method = 'GET',
): Promise<{ release(): Promise<void> }> {
  const isHeld = ({ pathname }: URL): boolean => pathname.endsWith(path);
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const hold = async (route: Route): Promise<void> => {
    if (route.request().method() === method) await opened;
    await route.fallback();
  };
  await page.route(isHeld, hold);
  return {
    release: async () => {
      open();
      await page.unroute(isHeld, hold);
    },
  };
}
