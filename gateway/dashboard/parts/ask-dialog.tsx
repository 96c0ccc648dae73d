import type { ComponentChildren } from 'preact'
import { t } from '../core/language.ts'
import { type Closable, FormDialog } from './dialog.tsx'

/** Asks before something that cannot be undone. */
export const AskDialog = ({
  text,
  action,
  act,
  tone = 'danger',
  children = <span class="visually-hidden">{t.common.details}</span>,
  ...rest
}: Closable & {
  title: string
  text?: string
  action: string
  act: () => Promise<unknown>
  tone?: 'danger' | 'main'
  /** The prefix of API paths to reload afterwards, and the announcement. */
  changes?: string
  done?: string
  children?: ComponentChildren
}) => (
  <FormDialog {...rest} lead={text} submit={action} send={act} tone={tone}>
    {children}
  </FormDialog>
)
