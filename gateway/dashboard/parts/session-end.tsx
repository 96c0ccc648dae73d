import { useEffect, useState } from 'preact/hooks'
import { get } from '../core/api.ts'
import { t } from '../core/language.ts'
import { useAction } from '../core/query.ts'
import { hasEnded, holdSession, idleEndMs, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { SignInForms } from '../pages/people/sign-in-forms.tsx'
import { Button } from './basics.tsx'
import { Dialog } from './dialog.tsx'

/** Announces the end of a session two minutes before, and lets one sign in again without leaving the page or its forms. */
export const SessionEnd = () => {
  const session = useStore(sessionStore)
  const isOver = useStore(hasEnded)
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const stay = useAction(async () => holdSession(await get('/v1/session')))
  if (!session) return null
  if (isOver)
    return (
      <Dialog title={t.session.over} onClose={() => undefined} isFixed>
        <p>{t.session.overText}</p>
        <SignInForms email={session.person.email} onDone={(session) => holdSession(session)} />
      </Dialog>
    )
  const endsAtMs = Math.min(idleEndMs(session), Date.parse(session.endsAt))
  const left = Math.ceil((endsAtMs - nowMs) / 1000)
  if (left > 120) return null
  if (left <= 0) hasEnded.set(true)
  const isForGood = Date.parse(session.endsAt) <= endsAtMs
  return (
    <div class="session-end" role="alert">
      <span>{t.session.ends(Math.max(0, left))}</span>
      {!isForGood && (
        <Button isBusy={stay.isBusy} onClick={() => void stay.run()}>
          {t.session.stay}
        </Button>
      )}
    </div>
  )
}
