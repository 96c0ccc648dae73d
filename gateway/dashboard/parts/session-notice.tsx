import { useEffect, useState } from 'preact/hooks'
import { get } from '../core/api.ts'
import { t } from '../core/language.ts'
import { useAction } from '../core/query.ts'
import { hasEnded, holdSession, idleEndMs, lastEndMs, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { Button } from './basics.tsx'

/** Announces the end of the session two minutes before, with the button that keeps it where use keeps it. */
export const SessionNotice = () => {
  const session = useStore(sessionStore)
  const isOver = useStore(hasEnded)
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const stay = useAction(async () => holdSession(await get('/v1/session')))
  if (!session || isOver) return null
  const endsAtMs = Math.min(idleEndMs(session), lastEndMs(session))
  const left = Math.ceil((endsAtMs - nowMs) / 1000)
  if (left > 120) return null
  if (left <= 0) hasEnded.set(true)
  const isForGood = lastEndMs(session) <= endsAtMs
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
