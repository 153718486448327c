/** What Swagger UI leaves out for the keyboard and screen readers: elements, an attribute and its value. */
const MISSING = [
  ['.close-modal', 'aria-label', 'Close'],
  ['.copy-to-clipboard button', 'aria-label', 'Copy'],
  ['select.examples-select-element', 'aria-label', 'Example'],
  ['.parameters select', 'aria-label', 'Value'],
  // It scrolls.
  ['pre.microlight', 'tabindex', '0'],
] as const;

/** Adds what is missing to all that Swagger UI draws below `node`, once a frame while it draws. */
export function complete(node: HTMLElement): void {
  let isDue = false;
  const add = (): void => {
    isDue = false;
    for (const [selector, attribute, value] of MISSING) {
      for (const element of node.querySelectorAll(`${selector}:not([${attribute}])`))
        element.setAttribute(attribute, value);
    }
  };
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(add);
  }).observe(node, { childList: true, subtree: true });
}
