;;; civl-mode.el --- CIVL programs, with civl-analyzer through eglot  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; A major mode for CIVL and Boogie programs (`.bpl', `.civl') and the commands of civl-analyzer that are not part of
;; the language server protocol.  Everything that can be computed is computed by the server, `civl lsp'.
;;
;;   (require 'civl-mode)
;;   (add-hook 'civl-mode-hook #'eglot-ensure)

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)

(defgroup civl nil "CIVL programs and their verification." :group 'languages)

(defcustom civl-program "civl"
  "The program civl: a name that is looked for in `exec-path', or a path."
  :type 'string)

(defconst civl--advice
  "Install it (`cargo install --path server' in civl-analyzer), or set `civl-program' to its path; then M-x civl-restart"
  "What to do about a program that is missing or wrong.")

;;; The mode

(defvar civl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (dolist (char '(?_ ?$ ?# ?' ?. ?^ ?~ ?`))
      (modify-syntax-entry char "_" table))
    (dolist (char '(?+ ?- ?= ?< ?> ?& ?| ?! ?:))
      (modify-syntax-entry char "." table))
    table))

(defconst civl--declarations
  '("const" "function" "axiom" "type" "datatype" "var" "procedure" "implementation" "action" "invariant"))
(defconst civl--modifiers
  '("left" "right" "both" "atomic" "yield" "pure" "unique" "revealed" "hideable" "free" "async"))
(defconst civl--keywords
  '("refines" "requires" "ensures" "preserves" "asserts" "modifies" "measure" "returns" "where" "uses" "assert"
    "assume" "havoc" "call" "reveal" "hide" "push" "pop" "break" "goto" "return" "if" "then" "else" "while" "forall"
    "exists" "lambda" "old" "is" "div" "mod"))

(defvar civl-font-lock-keywords
  `((,(regexp-opt civl--declarations 'symbols) . font-lock-keyword-face)
    (,(regexp-opt civl--modifiers 'symbols) . font-lock-builtin-face)
    (,(regexp-opt civl--keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt '("int" "bool" "real") 'symbols) . font-lock-type-face)
    (,(regexp-opt '("true" "false") 'symbols) . font-lock-constant-face)
    ("{ *\\(:[a-zA-Z_]+\\)" 1 font-lock-preprocessor-face)
    (,(concat (regexp-opt '("action" "procedure" "invariant" "function" "implementation") 'symbols)
              "\\(?:[ \t\n]*{[^}]*}\\)*[ \t\n]*\\(\\_<[a-zA-Z_][^ \t\n(<]*\\)")
     2 font-lock-function-name-face)))

(defun civl-indent-line ()
  "Indent by the depth of braces; the formatter of the server does the rest."
  (interactive)
  (let* ((depth (save-excursion (beginning-of-line) (car (syntax-ppss))))
         (closing (save-excursion (back-to-indentation) (looking-at-p "[])}]")))
         (column (* 2 (max 0 (if closing (1- depth) depth)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defvar civl-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-v") #'civl-verify)
    (define-key map (kbd "C-c C-k") #'civl-cancel)
    (define-key map (kbd "C-c C-t") #'civl-trace)
    (define-key map (kbd "C-c C-l") #'civl-show-layer)
    (define-key map (kbd "C-c C-m") #'civl-movers)
    (define-key map (kbd "C-c C-r") #'civl-restart)
    map))

;;;###autoload
(define-derived-mode civl-mode prog-mode "CIVL"
  "Major mode for CIVL programs."
  (setq-local font-lock-defaults '(civl-font-lock-keywords))
  (setq-local comment-start "// " comment-end "" comment-start-skip "//+[ \t]*\\|/\\*+[ \t]*")
  (setq-local indent-line-function #'civl-indent-line indent-tabs-mode nil)
  (setq-local mode-line-process '(:eval (civl-mode-line))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:bpl\\|civl\\)\\'" . civl-mode))

;;; The server

(defun civl--version (program)
  "What PROGRAM calls itself, or nil if it cannot be run."
  (with-temp-buffer
    (and (ignore-errors (call-process program nil t nil "--version"))
         (buffer-substring (point-min) (progn (goto-char (point-min)) (line-end-position))))))

(defun civl--contact (&rest _)
  "The command of the server, after a look whether it is civl."
  (let ((program (executable-find civl-program)))
    (unless program
      (user-error "The program `%s' was not found.  %s" civl-program civl--advice))
    (let ((name (civl--version program)))
      (unless (and name (string-prefix-p "civl " name))
        (user-error "`%s' is not civl: it calls itself `%s'.  %s" program (or name "") civl--advice)))
    (list program "lsp")))

(add-to-list 'eglot-server-programs '(civl-mode . civl--contact))

(defvar civl--obligations (make-hash-table :test #'equal) "The latest `civl/obligations' of each document.")
(defvar civl--status nil "The latest `civl/status'.")

(cl-defmethod eglot-handle-notification (_server (_method (eql civl/obligations)) &rest message &key uri &allow-other-keys)
  "Remember how the obligations of URI stand, as MESSAGE says."
  (puthash uri message civl--obligations)
  (force-mode-line-update t))

(cl-defmethod eglot-handle-notification (_server (_method (eql civl/status)) &rest message)
  "Remember what the server is doing, as MESSAGE says."
  (setq civl--status message)
  (force-mode-line-update t))

(defun civl--server ()
  "The server of this buffer, or an error that says what to do."
  (or (eglot-current-server) (user-error "The server is not running here; start it with M-x eglot")))

(defun civl--uri ()
  "The address of this buffer's file as eglot writes it."
  (let ((path (buffer-file-name)))
    (if (fboundp 'eglot-path-to-uri) (eglot-path-to-uri path) (eglot--path-to-uri path))))

(defun civl--entries ()
  "Obligations about this buffer, as a list of property lists."
  (append (plist-get (gethash (civl--uri) civl--obligations) :obligations) nil))

(defun civl--failed ()
  "Ids of the failed obligations of this buffer."
  (mapcar (lambda (entry) (plist-get entry :id))
          (seq-filter (lambda (entry) (equal (plist-get entry :state) "failed")) (civl--entries))))

(defun civl-mode-line ()
  "How the proofs of this buffer stand, in a few characters."
  (let* ((entries (and (buffer-file-name) (civl--entries)))
         (proved (seq-count (lambda (e) (member (plist-get e :state) '("proved" "skipped"))) entries)))
    (cond ((equal (plist-get civl--status :phase) "verifying")
           (format " ▸%s/%s" (plist-get civl--status :done) (plist-get civl--status :total)))
          (entries (format " %s%d/%d" (if (= proved (length entries)) "✓" (if (civl--failed) "✗" "?"))
                           proved (length entries)))
          (t ""))))

;;; Commands

(defun civl--ask (method params)
  "Ask the server for METHOD with PARAMS."
  (jsonrpc-request (civl--server) method params))

(defun civl--show (name text &optional mode)
  "Show TEXT in a read-only buffer called NAME, in MODE."
  (let ((buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text))
      (goto-char (point-min))
      (if mode (funcall mode) (special-mode))
      (setq buffer-read-only t))
    (display-buffer buffer)
    buffer))

(defun civl-verify (&optional symbol)
  "Prove the program of this buffer; with SYMBOL (a prefix argument), the declaration at point."
  (interactive "P")
  (civl--ask :civl/verify (append (list :uri (civl--uri)) (and symbol (list :position (eglot--pos-to-lsp-position))))))

(defun civl-cancel ()
  "Stop proving."
  (interactive)
  (civl--ask :civl/cancel eglot--{}))

(defun civl-trace (obligation)
  "Show how the failure of OBLIGATION comes about."
  (interactive
   (let ((failed (or (civl--failed) (user-error "Nothing has failed so far"))))
     (list (if (cdr failed) (completing-read "Trace of: " failed nil t) (car failed)))))
  (let ((answer (civl--ask :civl/trace (list :uri (civl--uri) :obligation obligation))))
    (civl--show (format "*civl trace: %s*" obligation) (plist-get answer :text))))

(defun civl-show-layer (layer)
  "Show the program as it is at LAYER."
  (interactive "nLayer: ")
  (let ((answer (civl--ask :civl/layerView (list :uri (civl--uri) :layer layer))))
    (civl--show (format "*civl layer %d: %s*" layer (buffer-name)) (plist-get answer :text) #'civl-mode)))

(defun civl-movers ()
  "Show which calls move past which."
  (interactive)
  (civl--show "*civl movers*" (plist-get (civl--ask :civl/movers (list :uri (civl--uri))) :text)))

(defun civl-restart ()
  "Start the server again; open buffers are attached and what was proved is asked for again."
  (interactive)
  (let ((known (hash-table-keys civl--obligations))
        (server (eglot-current-server)))
    (if server (eglot-reconnect server) (call-interactively #'eglot))
    (dolist (uri known)
      (civl--ask :civl/verify (list :uri uri)))))

(provide 'civl-mode)
;;; civl-mode.el ends here
