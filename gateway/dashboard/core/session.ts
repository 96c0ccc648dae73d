import type { PersonSession } from './people-paths.ts'
import { currentPlace } from './router.ts'
import { newStore } from './store.ts'

/** Who is signed in; null is a stranger, undefined is not known yet. */
export const sessionStore = newStore<PersonSession | null | undefined>(undefined)

/** Whether the session has ended while a page was open, which keeps the page as it is. */
export const hasEnded = newStore(false)

/** The token that the session's changes carry. */
export const csrfToken = (): string => sessionStore.get()?.csrfToken ?? ''

/** The API has refused the cookie. */
export const onSignedOut = (): void => {
  if (sessionStore.get()) hasEnded.set(true)
}

/** A session as the API has just told it. */
export const holdSession = (session: PersonSession | null): void => {
  sessionStore.set(session)
  if (session !== null) hasEnded.set(false)
}

/** Whether the person may do something in the present place. */
export const can = (permission: string): boolean => {
  const place = currentPlace()
  const membership = sessionStore.get()?.memberships.find(({ companyId }) => companyId === place?.companyId)
  return place !== null && (membership?.permissions[place.environment]?.includes(permission) ?? false)
}
