import { useId } from 'preact/hooks'
import { t } from '../core/language.ts'
import { Button, copy } from './basics.tsx'

/** A long text that people copy: shown whole, with a button. */
export const CopyBox = ({ label, text, copied = text }: { label: string; text: string; copied?: string }) => {
  const id = useId()
  return (
    <div class="copy-box">
      <span class="label" id={id}>
        {label}
      </span>
      <code>{text}</code>
      <Button icon="copy" aria-label={`${t.common.copy} ${label}`} onClick={() => void copy(copied)}>
        {t.common.copy}
      </Button>
    </div>
  )
}
