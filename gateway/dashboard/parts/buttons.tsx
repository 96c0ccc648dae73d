import type { ButtonHTMLAttributes } from 'preact'
import { downloadPath } from '../core/api.ts'
import { language, t } from '../core/language.ts'
import { Button, LinkButton } from './basics.tsx'
import { Icon, type IconName } from './icons.tsx'

/** A button for an action that a person can wait for. */
export const ActionButton = ({
  of: { isBusy, run },
  ...rest
}: {
  of: { isBusy: boolean; run: () => Promise<unknown> }
  text: string
  icon?: IconName
  tone?: 'main' | 'quiet' | 'danger'
}) => <Button {...rest} isBusy={isBusy} onClick={() => void run()} />

type IconButtonProps = ButtonHTMLAttributes & { icon: IconName; size?: number; name: string; look?: string }

/** A button with only an icon; `name` is for screen readers. */
export const IconButton = ({ icon, size = 16, name, look = '', ...rest }: IconButtonProps) => (
  <button {...rest} type="button" class={`button quiet icon-only ${look}`.trim()} aria-label={name}>
    <Icon name={icon} size={size} />
  </button>
)

/** A button that prints the page. */
export const PrintButton = () => (
  <Button tone="quiet" icon="printer" aria-label={t.common.print} onClick={() => print()} />
)

type TextButtonProps = {
  text: string
  name?: string | undefined
  onClick: () => unknown
  'aria-busy'?: boolean
}

/** A button that looks like a link, as in the rows of a table; `name` says what it acts on where the text does not. */
export const TextButton = ({ text, name, onClick, ...rest }: TextButtonProps) => (
  <button {...rest} type="button" class="link" aria-label={name} onClick={() => void onClick()}>
    {text}
  </button>
)

/** The button that opens the dialog about one row. */
export const EditButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <TextButton text={t.common.edit} name={`${t.common.edit} ${name}`} onClick={onClick} />
)

/** The small button that takes something out. */
export const OffButton = ({ name, onClick }: { name: string; onClick: () => unknown }) => (
  <button type="button" class="filter-off" aria-label={name} onClick={() => void onClick()}>
    <Icon name="x" size={12} />
  </button>
)

/** In Portuguese what Excel opens by a double click in Brazil, in English what programs read. */
export const dialect = (): Readonly<Record<string, string>> =>
  language() === 'en' ? {} : { dialect: 'excel-br' }

type CsvButtonProps = { path: string; query: Readonly<Record<string, string>>; text?: string }

/** The link to a list as a file. */
export const CsvButton = ({ path, query, text = t.common.csv }: CsvButtonProps) => (
  <LinkButton icon="download" href={downloadPath(path, { ...query, ...dialect() })} download text={text} />
)
