import type { components } from '#generated/api'
import { currentPlace } from './router.ts'
import { newStore } from './store.ts'

type PersonSession = components['schemas']['Session']

/** Who is signed in; null is a stranger, undefined is not known yet. */
export const sessionStore = newStore<PersonSession | null | undefined>(undefined)

/** Whether the session has ended while a page was open, which keeps the page as it is. */
export const hasEnded = newStore(false)

/** The token that the session's changes carry. */
export const csrfToken = (): string => halfToken ?? sessionStore.get()?.csrfToken ?? ''

/** Between password and second factor there is no session yet, but its token is known. */
let halfToken: string | null = null

/** Holds the token that the answer to a password brings. */
export const holdHalfToken = (token: string): void => {
  halfToken = token
}

/** The API has refused the cookie. */
export const onSignedOut = (): void => {
  if (sessionStore.get()) hasEnded.set(true)
}

/** Counts the API's refusals because the person has left the page's company. */
export const membershipsChanged = newStore(0)

/** When any tab of this browser last used the session: every request but background ones extends it. */
const usedAtKey = 'session-used-at'
let idleMs = 0
/** How far the browser's clock is ahead of the service's. */
let aheadMs = 0

/** A request that was sent at this time has renewed the session. */
export const onSessionUsed = (sentAtMs: number): void => {
  if (sentAtMs - Number(localStorage.getItem(usedAtKey)) > 5000)
    localStorage.setItem(usedAtKey, String(sentAtMs))
}

/** When the session ends in any case, by the browser's clock. */
export const lastEndMs = (session: PersonSession): number => Date.parse(session.endsAt) + aheadMs

/** When the session ends unless it is used before, by the browser's clock. */
export const idleEndMs = (session: PersonSession): number =>
  Math.max(Date.parse(session.idleUntil) + aheadMs, Number(localStorage.getItem(usedAtKey)) + idleMs)

/**
 * Holds the session that the API has returned. Another person's reloads the page, which may show what is not
 * theirs to see.
 */
export const holdSession = (session: PersonSession | null): void => {
  const before = sessionStore.get()
  if (before && session && before.person.id !== session.person.id) location.assign('/painel')
  halfToken = null
  sessionStore.set(session)
  if (session === null) return
  aheadMs = Date.now() - Date.parse(session.answeredAt)
  idleMs = Date.parse(session.idleUntil) - Date.parse(session.answeredAt)
  hasEnded.set(false)
}

/** Whether the person may do something in the present place. */
export const can = (permission: string): boolean => {
  const place = currentPlace()
  const membership = sessionStore.get()?.memberships.find(({ companyId }) => companyId === place?.companyId)
  return place !== null && (membership?.permissions[place.environment]?.includes(permission) ?? false)
}
