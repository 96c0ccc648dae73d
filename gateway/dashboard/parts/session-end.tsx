import { t } from '../core/language.ts'
import { hasEnded, holdSession, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { SignInForms } from '../pages/people/sign-in-forms.tsx'
import { Dialog } from './dialog.tsx'

/** Lets a person whose session is over sign in again without leaving the page or its forms. */
export const SessionEnd = () => {
  const session = useStore(sessionStore)
  const isOver = useStore(hasEnded)
  if (!session || !isOver) return null
  return (
    <Dialog title={t.session.over} onClose={() => undefined} isFixed>
      <p>{t.session.overText}</p>
      <SignInForms email={session.person.email} onDone={(session) => holdSession(session)} />
    </Dialog>
  )
}
