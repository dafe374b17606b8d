;;; The mode of editors/emacs in a batch Emacs with eglot: what a person does with it, once.  -*- lexical-binding: t; -*-
;; Prints "ok: ..." for each thing that held and "FAILED: ..." for the first that did not.

(setq native-comp-jit-compilation nil
      eglot-sync-connect 30
      eglot-connect-timeout 60
      eglot-confirm-server-edits nil
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0.05
      flymake-no-changes-timeout 0.05
      make-backup-files nil)
(require 'civl-mode)

(defun out (format &rest arguments)
  (princ (concat (apply #'format format arguments) "\n")))

(defmacro hold (what &rest condition)
  "Wait until CONDITION holds, then say WHAT."
  `(let ((deadline (+ (float-time) 40)) (held nil))
     (while (and (not (setq held (progn ,@condition))) (< (float-time) deadline))
       (accept-process-output nil 0.05))
     (unless held (error "%s: %S" ,what (codes)))
     (out "ok: %s" ,what)))

(defun codes ()
  "Messages of the diagnostics with their lines."
  (mapcar (lambda (d) (format "%d: %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))
          (flymake-diagnostics)))

(defun sync ()
  "Tell the server about edits; the timer that does it otherwise only runs when a person is idle."
  (eglot--signal-textDocument/didChange))

(defun told (text)
  (seq-some (lambda (line) (string-match-p (regexp-quote text) line)) (codes)))

(defun refusal (program)
  "What eglot says about PROGRAM."
  (let ((civl-program program))
    (condition-case problem (progn (civl--contact) "") (user-error (error-message-string problem)))))

(defun repair ()
  "Apply the tried-out repair."
  (let* ((range (list :start (list :line 18 :character 2) :end (list :line 18 :character 2)))
         (actions (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                   (list :textDocument (list :uri (civl--uri)) :range range
                                         :context (list :diagnostics []))))
         (wanted (seq-find (lambda (a) (string-match-p "call Anything()" (plist-get a :title))) actions)))
    (eglot-execute (eglot-current-server) wanted)
    (sync)))

(defun main (path)
  (find-file path)
  (unless (eq major-mode 'civl-mode) (error "mode is %s" major-mode))
  (font-lock-ensure)
  (search-forward "atomic")
  (unless (eq (get-text-property (1- (point)) 'face) 'font-lock-builtin-face) (error "no colours"))
  (out "ok: the mode colours")
  (unless (and (string-match-p "was not found.*civl-program" (refusal "/nowhere/civl"))
               (string-match-p "is not civl.*civl-program" (refusal "true")))
    (error "refusals: %s, %s" (refusal "/nowhere/civl") (refusal "true")))
  (out "ok: a missing or wrong program is told from the right one")
  (apply #'eglot (eglot--guess-contact))
  (hold "the server is attached" (eglot-current-server))
  (hold "diagnostics appear" (told "a second non-mover"))
  (search-forward "call bump")
  (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
    (unless (string-match-p "yield procedure" (plist-get (plist-get hover :contents) :value)) (error "hover: %S" hover)))
  (out "ok: hover shows the procedure")
  (repair)
  (hold "the code action is applied" (save-excursion (goto-char (point-min)) (search-forward "call Anything();" nil t)))
  (hold "and repairs" (null (codes)))
  (let ((inhibit-message t)) (save-buffer))
  (hold "saving verifies" (told "25: civl [assertion]"))
  (hold "the mode line says how it stands" (string-match-p "✗" (civl-mode-line)))
  (civl-trace (car (civl--failed)))
  (hold "the trace is shown" (seq-some (lambda (b) (and (string-prefix-p "*civl trace" (buffer-name b))
                                                        (with-current-buffer b (string-match-p "line 25" (buffer-string)))))
                                       (buffer-list)))
  (civl-show-layer 1)
  (hold "the layer is shown" (seq-some (lambda (b) (string-prefix-p "*civl layer 1" (buffer-name b))) (buffer-list)))
  (let ((old (eglot-current-server)))
    (civl-restart)
    (hold "a new server runs" (and (eglot-current-server) (not (eq old (eglot-current-server))))))
  (hold "and its diagnostics come back" (told "25: civl [assertion]"))
  (goto-char (point-min))
  (search-forward "i == 0")
  (replace-match "i == i")
  (sync)
  (let ((inhibit-message t)) (save-buffer))
  (hold "after the repair everything is proved" (and (null (codes)) (string-match-p "✓" (civl-mode-line))))
  (eglot-shutdown (eglot-current-server))
  (out "all steps held"))

(condition-case problem
    (main (expand-file-name (pop command-line-args-left)))
  (error (out "FAILED: %s" (error-message-string problem)) (kill-emacs 1)))
