/** The clipboard. Browsers give it to pages that come over HTTPS or from this machine; elsewhere a field is copied. */

/** Fails where the browser, or its user, does not allow it. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  if (!copyFromField(text)) throw new Error("The browser does not let this page write to the clipboard.");
}

function copyFromField(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
