import { useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { Button } from './basics.tsx'
import { CopyBox } from './copy-box.tsx'
import { type Closable, Dialog } from './dialog.tsx'
import { Switch } from './switch.tsx'

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
