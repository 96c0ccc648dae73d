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
}
