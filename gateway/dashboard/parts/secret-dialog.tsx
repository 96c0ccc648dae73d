import { useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { Button } from './basics.tsx'
import { CopyBox } from './copy-box.tsx'
import { Dialog } from './dialog.tsx'

/** A secret that is shown this once: the dialog closes when the person says that it is saved. */
export const SecretDialog = ({
  title,
  text,
  secret,
  onClose,
}: {
  title: string
  text: string
  secret: string
  onClose: () => void
}) => {
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog title={title} onClose={onClose} isFixed>
      <p>{text}</p>
      <CopyBox label={t.secret.label} text={secret} />
      <label class="switch">
        <input
          type="checkbox"
          checked={isSaved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <span>{t.secret.saved}</span>
      </label>
      <div class="form-foot">
        <Button tone="main" isDisabled={!isSaved} onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  )
}
