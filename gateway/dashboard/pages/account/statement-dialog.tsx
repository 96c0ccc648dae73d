import { post, type Schemas, withId } from '../../core/api.ts'
import { OffButton } from '../../parts/buttons.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { base64Of, FileField } from '../../parts/files.tsx'
import { required, useFormAround, useShown } from '../../parts/form.tsx'
import { saying } from '../connections/connection-texts.tsx'

/** Gives the bank's statement of a day as a file. */
export const StatementDialog = ({
  of,
  onClose,
}: Closable & { of: Pick<Schemas['ReconciliationDetail'], 'id'> }) => (
  <FormDialog
    title={saying.reconciliation.upload}
    lead={saying.reconciliation.uploadText}
    submit={saying.reconciliation.upload}
    values={{ file: '', name: '' }}
    check={required('file')}
    send={({ file }) =>
      post('/v1/reconciliations/{id}/statement', { ...withId(of.id), body: { file: file! } })
    }
    changes="/v1/"
    done={saying.reconciliation.uploaded}
    onClose={onClose}
  >
    <StatementFile />
  </FormDialog>
)

/** The file, compressed: a month of statements is longer than a request may be. */
const StatementFile = () => {
  const form = useFormAround()
  const { values, set, errorOf } = form
  useShown(form, 'file')
  const take = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return
    const packed = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
    set('file', await base64Of(new File([packed], file.name)))
    set('name', file.name)
  }
  return (
    <div class="field">
      {values.file && (
        <ul class="files">
          <li>
            {values.name}{' '}
            <OffButton
              name={saying.reconciliation.removeFile(values.name ?? '')}
              onClick={() => set('file', '')}
            />
          </li>
        </ul>
      )}
      <FileField
        label={saying.reconciliation.chooseFile}
        accept=".ofx,application/x-ofx"
        error={errorOf('file')}
        hint={saying.reconciliation.fileHint}
        take={take}
      />
    </div>
  )
}
