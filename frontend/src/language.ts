// A webview started with LANG unset or "C" reports "C" as its language, which
// every Intl constructor refuses with a RangeError. Replace it before it is read.
function valid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1 && /^[a-z]{2,3}(-|$)/i.test(tag);
  } catch {
    return false;
  }
}

if (!valid(navigator.language)) {
  const fallback = document.documentElement.lang || "en";
  for (const [name, value] of [["language", fallback], ["languages", Object.freeze([fallback])]] as const) {
    try {
      Object.defineProperty(navigator, name, { configurable: true, get: () => value });
    } catch {
      // A webview that seals navigator keeps its own; pageLanguage is right anyway.
    }
  }
}

/** The language of dates and numbers on this page: a tag that Intl accepts. */
export const pageLanguage = valid(navigator.language) ? navigator.language : "en";
