import { newStore } from './store.ts'

export type ThemeName = 'light' | 'dark' | 'system'

const known = document.documentElement.dataset.theme
/** The theme that was chosen for this browser; `system` follows the machine. */
export const themeStore = newStore<ThemeName>(known === 'light' || known === 'dark' ? known : 'system')

/** Chooses a theme for this browser. */
export const chooseTheme = (theme: ThemeName): void => {
  if (theme === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem('theme', theme)
    document.documentElement.dataset.theme = theme
  }
  themeStore.set(theme)
  paintBrowser(theme)
}

/** The colour of the browser's own bars by theme, as the page came with it. */
const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
const colours = Object.fromEntries(
  metas.map(({ media, content }) => [media.includes('dark') ? 'dark' : 'light', content]),
)

/** Gives the browser's bars the colour of the theme: the page's own follow the machine alone. */
const paintBrowser = (theme: ThemeName): void => {
  for (const meta of metas) {
    const own = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = colours[theme === 'system' ? own : theme] ?? meta.content
  }
}
paintBrowser(themeStore.get())
