let host: HTMLElement | null = null;
const dialogs: HTMLElement[] = [];

/** Holds the messages. */
export function toastHost(): HTMLElement {
  if (host === null) {
    host = document.createElement('div');
    document.body.append(host);
  }
  return host;
}

/**
 * Moves the messages into a modal dialog, until the returned function is called: the browser draws it above everything
 * else, which nobody can press then.
 */
export function showToastsIn(dialog: HTMLElement): () => void {
  dialogs.push(dialog);
  dialog.append(toastHost());
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1);
    (dialogs.at(-1) ?? document.body).append(toastHost());
  };
}
