// SPDX-License-Identifier: Apache-2.0
// Faults of skills, the extension of 2026-07-28.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kSkillsFaults[] = {
    {"skill-uri-of-directory", "2026-07-28: an entry has the uri of its directory"},
    {"skill-uri-of-another-name",
     "2026-07-28: an entry has another name in its uri than in its front matter"},
    {"skill-uri-of-another-scheme", "2026-07-28: an entry has a uri of another scheme"},
    {"skill-name-in-capitals", "2026-07-28: a skill has a name with a capital letter"},
    {"skill-resources-object", "2026-07-28: resources of an entry are an object"},
    {"skill-file-without-digest", "2026-07-28: a file of a skill has no digest"},
    {"skill-digest-of-another-kind", "2026-07-28: a file of a skill has a digest of MD5"},
    {"skill-size-negative", "2026-07-28: a file of a skill has the size -1"},
    {"skill-file-outside", "2026-07-28: a file of a skill lies outside of it"},
    {"skill-directory-as-file", "2026-07-28: a directory is listed among the files of a skill"},
    {"skill-metadata-reserved",
     "2026-07-28: the front matter has metadata under a reserved prefix"},
    {"skill-manifest-without-itself",
     "2026-07-28: the files of a skill are listed without its SKILL.md"},
    {"skill-file-twice", "2026-07-28: a file of a skill is listed twice"},
    {"skill-description-endless", "2026-07-28: a skill has a description of 1,100 characters"},
    {"skill-list-unknown", "2026-07-28: skills/list is unknown, but declared"},
    {"skill-listed-twice", "2026-07-28: a skill is listed twice"},
    {"skill-cursor-unchecked", "2026-07-28: skills/list takes any cursor"},
    {"skill-get-unknown", "2026-07-28: skills/get is unknown, but declared"},
    {"skill-get-uri-optional", "2026-07-28: skills/get without uri gives the first skill"},
    {"skill-got-by-directory", "2026-07-28: skills/get takes the uri of the directory"},
    {"skill-got-differs", "2026-07-28: skills/get gives another description than skills/list"},
    {"skill-got-under-another-uri", "2026-07-28: skills/get gives an entry of another uri"},
    {"skill-got-flat", "2026-07-28: skills/get gives the entry without a member skill"},
    {"skill-got-in-pages", "2026-07-28: skills/get gives a cursor"},
    {"skill-unknown-other-code",
     "2026-07-28: skills/get of an unknown skill is refused with -32002"},
    {"directory-read-unknown", "2026-07-28: resources/directory/read is unknown, but declared"},
    {"directory-goes-deep", "2026-07-28: a directory lists what lies in directories below it"},
    {"directory-without-directories", "2026-07-28: a directory leaves out directories in it"},
    {"directory-of-files-alone", "2026-07-28: a directory in a directory has the type of a file"},
    {"directory-of-directories-alone", "2026-07-28: a file in a directory has the type of one"},
    {"directory-with-slash", "2026-07-28: a directory in a directory has a slash at its end"},
    {"directory-unknown-empty", "2026-07-28: an unknown directory is empty"},
    {"skills-undeclared", "2026-07-28: skills are served, but not declared"},
    {"skill-settings-true", "2026-07-28: the extension for skills is declared with true"},
    {"directory-read-in-words", "2026-07-28: directoryRead is the text yes"},
    {"directory-read-undeclared",
     "2026-07-28: directories are read, but directoryRead is not declared"},
    {"skill-md-without-frontmatter", "2026-07-28: a SKILL.md has no front matter"},
    {"skill-md-as-plain-text", "2026-07-28: a SKILL.md is of type text/plain"},
    {"skill-md-unreadable", "2026-07-28: a SKILL.md cannot be read"},
};

}  // namespace harness::reference
