import type { ComponentChildren } from 'preact'
import { t } from '../core/language.ts'
import { Dialog } from './dialog.tsx'
import { Form, useForm } from './form.tsx'

/** Asks before something that cannot be undone. */
export const AskDialog = ({
  title,
  text,
  action,
  act,
  onClose,
  tone = 'danger',
  children,
}: {
  title: string
  text?: string
  action: string
  act: () => Promise<unknown>
  onClose: () => void
  tone?: 'danger' | 'main'
  children?: ComponentChildren
}) => {
  const form = useForm({}, async () => {
    await act()
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      {text && <p>{text}</p>}
      <Form of={form} submit={action} tone={tone} onCancel={onClose}>
        {children ?? <span class="visually-hidden">{t.common.details}</span>}
      </Form>
    </Dialog>
  )
}
