//! `civl manual --out DIR`: the manual as a book for a browser.
//!
//! **In:** the chapters and code pages that are built into the program. **Out:** `index.html`, one
//! page per chapter and per code, no script, nothing fetched.
//!
//! # Invariants
//! - The same pages as in the repository, whose programs a test runs.
//! - HTML inside Markdown is shown as text, never passed on.

use std::path::{Path, PathBuf};

use anyhow::Context;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

use super::Exit;

const STYLE: &str = "\
body{margin:0 auto;max-width:52rem;padding:1rem 1.5rem 4rem;font:17px/1.55 system-ui,sans-serif;color:#1c1e21;background:#fdfdfc}\
pre{background:#f2f1ee;padding:.8rem 1rem;overflow-x:auto;border-radius:6px;font-size:14px;line-height:1.45}\
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}\
table{border-collapse:collapse}td,th{border:1px solid #d5d3cd;padding:.25rem .6rem;text-align:left;vertical-align:top}\
a{color:#0b5cad}nav{display:flex;justify-content:space-between;gap:1rem;font-size:15px;padding:.4rem 0;border-bottom:1px solid #d5d3cd}\
@media(prefers-color-scheme:dark){body{color:#dfe1e4;background:#17191c}pre{background:#23262a}a{color:#7db7f0}td,th,nav{border-color:#3b4046}}";

#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Folder for the pages; it is made if need be.
    #[arg(long, value_name = "DIR", default_value = "target/manual")]
    out: PathBuf,
}

/// One page of the book.
struct Page {
    /// Below the folder of the book.
    path: String,
    title: String,
    markdown: String,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let pages = pages();
    match write_all(&pages, &arguments.out) {
        Ok(()) => super::answer(&format!(
            "{} pages; start with {}\n",
            pages.len(),
            arguments.out.join("index.html").display()
        )),
        Err(error) => super::unwritten(&error),
    }
}

/// The index, the chapters and the codes, in the order of reading.
fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = ide::chapters()
        .map(|(name, text)| Page {
            path: format!("{name}.html"),
            title: title(text),
            markdown: text.to_owned(),
        })
        .collect();
    let codes = ide::codes().map(|(page, _)| Page {
        path: format!("codes/{}.html", page.code),
        title: page.code.to_owned(),
        markdown: page.text.to_owned(),
    });
    pages.extend(codes);
    pages.insert(0, index(&pages));
    pages
}

fn index(pages: &[Page]) -> Page {
    let (codes, chapters): (Vec<&Page>, Vec<&Page>) =
        pages.iter().partition(|page| page.path.starts_with("codes/"));
    let link = |page: &&Page| format!("- [{}]({})\n", page.title, page.path);
    let summary = |page: &&Page| {
        let summary = ide::explain(&page.title).map_or("", |page| page.summary);
        format!("- [`{}`]({}): {summary}\n", page.title, page.path)
    };
    let chapters: String = chapters.iter().map(link).collect();
    let codes: String = codes.iter().map(summary).collect();
    let markdown = format!(
        "# The civl manual\n\nEvery program in it is run by a test.\n\n{chapters}\n## Diagnostic codes\n\n{codes}"
    );
    Page { path: "index.html".into(), title: "The civl manual".into(), markdown }
}

fn title(markdown: &str) -> String {
    let first = markdown.lines().find_map(|line| line.strip_prefix("# "));
    first.unwrap_or("untitled").replace('`', "")
}

fn write_all(pages: &[Page], folder: &Path) -> anyhow::Result<()> {
    for (nth, page) in pages.iter().enumerate() {
        let path = folder.join(&page.path);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent)
            .with_context(|| format!("cannot make {}", parent.display()))?;
        let before = nth.checked_sub(1).and_then(|nth| pages.get(nth));
        let text = render(page, before, pages.get(nth + 1));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn render(page: &Page, before: Option<&Page>, after: Option<&Page>) -> String {
    let up = if page.path.contains('/') { "../" } else { "" };
    let link = |other: Option<&Page>, arrow: [&str; 2]| {
        other.map_or_else(String::new, |other| {
            let title = escaped(&other.title);
            format!("<a href=\"{up}{}\">{}{title}{}</a>", other.path, arrow[0], arrow[1])
        })
    };
    let mut body = String::new();
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    html::push_html(&mut body, Parser::new_ext(&page.markdown, options).map(harmless));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>{STYLE}</style></head>\n<body><nav>{}<a href=\"{up}index.html\">contents</a>{}</nav>\n{body}</body></html>\n",
        escaped(&page.title),
        link(before, ["← ", ""]),
        link(after, ["", " →"]),
    )
}

/// Links between pages lead to pages of the book, and HTML is text.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other events are passed on as they are")]
fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: page_of(dest_url), title, id })
        }
        other => other,
    }
}

fn page_of(address: CowStr<'_>) -> CowStr<'_> {
    let (path, place) = address.split_once('#').map_or((&*address, None), |(p, at)| (p, Some(at)));
    let Some(name) = path.strip_suffix(".md").filter(|path| !path.contains("://")) else {
        return address;
    };
    let place = place.map(|place| format!("#{place}")).unwrap_or_default();
    format!("{name}.html{place}").into()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_text_and_links_lead_to_pages() {
        let markdown =
            "# A<b>\n\n<script>x</script>\n\n[to](codes/gate.md#a) [out](https://x.y/z.md)\n";
        let page =
            Page { path: "a.html".into(), title: title(markdown), markdown: markdown.to_owned() };
        let text = render(&page, None, None);
        assert!(!text.contains("<script>") && !text.contains("<b>"), "{text}");
        assert!(text.contains("href=\"codes/gate.html#a\""), "{text}");
        assert!(text.contains("href=\"https://x.y/z.md\""), "{text}");
    }

    #[test]
    fn there_is_a_page_for_every_chapter_and_code() {
        let all = pages();
        assert_eq!(all.len(), 1 + ide::chapters().count() + ide::codes().count());
        assert!(ide::chapters().count() > 10);
    }
}
