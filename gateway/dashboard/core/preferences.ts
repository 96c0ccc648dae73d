import { announce } from '../parts/toasts.tsx'
import { patch, problemOfError, type Schemas } from './api.ts'
import { chooseLanguage, type LanguageTag, language } from './language.ts'
import { sessionStore } from './session.ts'
import { chooseTheme, type ThemeName, themeStore } from './theme-choice.ts'

/** Chooses a language: here at once, and wherever the person signs in. */
export const preferLanguage = async (tag: LanguageTag): Promise<void> => {
  await chooseLanguage(tag)
  await save({ language: tag === 'en' ? 'en' : 'pt' })
}

/** Chooses a theme: here at once, and wherever the person signs in. */
export const preferTheme = async (theme: ThemeName): Promise<void> => {
  chooseTheme(theme)
  await save({ theme: theme.toUpperCase() as Schemas['Person']['theme'] })
}

const save = async (body: Partial<Pick<Schemas['Person'], 'language' | 'theme'>>): Promise<void> => {
  try {
    const person = await patch('/v1/me', { body })
    const session = sessionStore.get()
    if (session) sessionStore.set({ ...session, person })
  } catch (error) {
    announce(problemOfError(error).message, 'trouble')
  }
}

/** Applies the language and theme that the person has changed since `known`, in this browser or another. */
export const applyPreferences = async (
  person: Schemas['Person'],
  known: Schemas['Person'] | null = null,
): Promise<void> => {
  const tag = person.language === 'en' ? 'en' : 'pt-BR'
  const theme = person.theme.toLowerCase() as ThemeName
  if (person.theme !== known?.theme && theme !== themeStore.get()) chooseTheme(theme)
  if (person.language !== known?.language && tag !== language()) await chooseLanguage(tag)
}

/** Applies the person's preferences at each sign-in and after each change. */
export const followPreferences = (): void => {
  let known: Schemas['Person'] | null = null
  sessionStore.subscribe(() => {
    const person = sessionStore.get()?.person ?? null
    if (person !== null) void applyPreferences(person, known)
    known = person
  })
}
