import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { refresh } from '../core/query.ts'
import { navigate, type PagePath, pathTo } from '../core/router.ts'
import { newStore, useStore } from '../core/store.ts'
import { Button, Trouble } from './basics.tsx'
import { ActionButton, IconButton } from './buttons.tsx'
import { CopyBox } from './copy-box.tsx'
import { Form, type FormCheck, type FormState, useForm, type Values } from './form.tsx'
import { SessionNotice } from './session-notice.tsx'
import { Switch } from './switch.tsx'
import { announce, Toasts, useChange } from './toasts.tsx'

/** The props of anything that can be closed. */
export type Closable = { readonly onClose: () => void }

type DialogProps = Closable & {
  title: string
  isWide?: boolean
  /** Whether only its buttons close it: what it shows is lost with it. */
  isFixed?: boolean
  children: ComponentChildren
  foot?: ComponentChildren
}

/**
 * A dialog over the page: the browser holds the focus inside. Escape and a click beside it close it, unless something was typed into it:
 * then only its buttons do, or the person who confirms it.
 */
export const Dialog = ({ title, onClose, isWide = false, isFixed = false, children, foot }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isTop = useStore(openDialogs).at(-1) === id
  const isFilled = useRef(false)
  const [isLeaving, setLeaving] = useState(false)
  const leave = (): void => {
    if (isFixed) return
    if (isFilled.current) setLeaving(true)
    else onClose()
  }
  // Not after the paint: the focus is back before the next key.
  useLayoutEffect(() => {
    const dialog = element.current!
    const focusedBefore = document.activeElement
    dialog.showModal()
    openDialogs.set([...openDialogs.get(), id])
    const first =
      dialog.querySelector<HTMLElement>('[data-first]') ??
      dialog.querySelector<HTMLElement>('form :is(input, select, textarea)')
    first?.focus()
    return () => {
      openDialogs.set(openDialogs.get().filter((one) => one !== id))
      dialog.close()
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // Popovers and file choosers inside it are cancelled too, and bubble.
        if (event.target !== element.current) return
        event.preventDefault()
        leave()
      }}
      // A browser lets a page keep a dialog open once; it closes it at the second Escape.
      onClose={(event) => {
        const { current } = element
        if (event.target === current && current?.isConnected && !current.open) current.showModal()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) leave()
      }}
      onInput={({ target }) => {
        // Switches outside a form take effect at once.
        isFilled.current ||= target instanceof Element && target.closest('form') !== null
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          {!isFixed && <IconButton icon="x" name={t.common.close} onClick={onClose} />}
        </header>
        {children}
        {foot && <footer class="dialog-foot">{foot}</footer>}
      </div>
      {isLeaving && (
        <Dialog title={t.common.discardTitle} onClose={() => setLeaving(false)}>
          <p>{t.common.discardText}</p>
          <div class="form-foot">
            <Button tone="quiet" onClick={onClose} text={t.common.discard} />
            <Button tone="main" onClick={() => setLeaving(false)} text={t.common.keepFilling} />
          </div>
        </Dialog>
      )}
      {isTop && <Announcements />}
    </dialog>
  )
}

/** The open dialogs, from the page up. */
const openDialogs = newStore<readonly string[]>([])

/** Whether a dialog is open, in which announcements then appear: the page below it is inert. */
export const useHasDialog = (): boolean => useStore(openDialogs).length > 0

/** What is announced, whatever is open. */
export const Announcements = () => (
  <>
    <SessionNotice />
    <Toasts />
  </>
)

/**
 * A dialog whose form sends something. After success it reloads what changed, announces it, and closes or opens
 * the page of the new object.
 */
export const FormDialog = <Made,>({
  title,
  lead,
  hint,
  submit,
  tone = 'main',
  isWide = false,
  values = {},
  check,
  send,
  changes,
  done,
  opens,
  onMade,
  onClose,
  foot,
  children,
}: Closable & {
  title: string
  lead?: ComponentChildren
  /** The lead in small letters. */
  hint?: string | null
  submit: string | ((form: FormState) => string)
  tone?: 'main' | 'danger'
  isWide?: boolean
  /** What the fields begin with. */
  values?: Values
  check?: FormCheck
  send: (values: Values) => Promise<Made>
  /** The prefix of API paths to reload afterwards. */
  changes?: string
  done?: string | ((made: Made) => string)
  /** The page to open after success. */
  opens?: (made: Made) => PagePath
  onMade?: (made: Made) => unknown
  foot?: ComponentChildren
  children?: ComponentChildren | ((form: FormState) => ComponentChildren)
}) => {
  const form = useForm(
    values,
    async (values) => {
      const made = await send(values)
      if (changes !== undefined) refresh(changes)
      if (done !== undefined) announce(typeof done === 'string' ? done : done(made))
      if (opens !== undefined) return navigate(pathTo(opens(made)))
      onClose()
      onMade?.(made)
    },
    check,
  )
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide} foot={foot}>
      {lead && <p>{lead}</p>}
      {hint && <p class="hint">{hint}</p>}
      <Form
        of={form}
        submit={typeof submit === 'string' ? submit : submit(form)}
        tone={tone}
        onCancel={onClose}
      >
        {typeof children === 'function' ? children(form) : children}
      </Form>
    </Dialog>
  )
}

type RemoveFootProps = Closable & {
  act: () => Promise<unknown>
  changes: string
  /** The announcement after success. */
  text: string
}

/** The foot of a dialog about something that can be removed. */
export const RemoveFoot = ({ act, changes, text, onClose }: RemoveFootProps) => {
  const remove = useChange(act, text, changes)
  return (
    <>
      <Trouble of={remove.problem} />
      <ActionButton
        of={{ ...remove, run: async () => (await remove.run()) && onClose() }}
        tone="quiet"
        icon="trash"
        text={t.common.remove}
      />
    </>
  )
}

type SecretDialogProps = Closable & { title: string; text: string; secret: string }

/** A secret that is shown this once: the dialog closes when the person says that it is saved. */
export const SecretDialog = ({ title, text, secret, onClose }: SecretDialogProps) => {
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog title={title} onClose={onClose} isFixed>
      <p>{text}</p>
      <CopyBox label={t.secret.label} text={secret} />
      <Switch isOn={isSaved} onChange={setSaved} text={t.secret.saved} />
      <div class="form-foot">
        <Button tone="main" isDisabled={!isSaved} onClick={onClose} text={t.common.close} />
      </div>
    </Dialog>
  )
}
