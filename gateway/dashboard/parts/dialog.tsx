import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { refresh } from '../core/query.ts'
import { navigate, type PagePath, pathTo } from '../core/router.ts'
import { Button, Trouble } from './basics.tsx'
import { ActionButton, IconButton } from './buttons.tsx'
import { CopyBox } from './copy-box.tsx'
import { Form, type FormCheck, type FormState, useForm, type Values } from './form.tsx'
import { Switch } from './switch.tsx'
import { announce, useChange } from './toasts.tsx'

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

/** A dialog over the page: the browser holds the focus inside, and Escape closes it. */
export const Dialog = ({ title, onClose, isWide = false, isFixed = false, children, foot }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current!
    const focusedBefore = document.activeElement
    dialog.showModal()
    const first =
      dialog.querySelector<HTMLElement>('[data-first]') ??
      dialog.querySelector<HTMLElement>('form :is(input, select, textarea)')
    first?.focus()
    return () => {
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
        if (!isFixed) onClose()
      }}
      onMouseDown={(event) => {
        if (!isFixed && event.target === element.current) onClose()
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
    </dialog>
  )
}

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
