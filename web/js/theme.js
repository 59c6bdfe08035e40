// Light or dark: the system's wish, until the reader presses the button.

const THEME_KEY = "clew-theme";

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null; // a page opened from disk may not have storage
  }
}

function storeTheme(theme) {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Then the choice lasts as long as the page.
  }
}

function themeButton() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = storedTheme();
  const button = element("button", { class: "quiet theme", onclick: toggle }, "");
  function paint() {
    const isDark = chosen ? chosen === "dark" : dark.matches;
    if (chosen) document.documentElement.dataset.theme = chosen;
    button.textContent = isDark ? "☀ Light" : "☾ Dark";
    button.setAttribute(
      "aria-label",
      isDark ? "Switch to light colours" : "Switch to dark colours",
    );
  }
  function toggle() {
    chosen = (chosen ? chosen === "dark" : dark.matches) ? "light" : "dark";
    storeTheme(chosen);
    paint();
  }
  dark.addEventListener("change", paint);
  paint();
  return button;
}
